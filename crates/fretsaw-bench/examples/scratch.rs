use fretsaw::dissimilarity::*;
use fretsaw::judge::*;
use fretsaw::observer::Silent;
use fretsaw::picture::*;
use fretsaw::puzzle::*;
use std::collections::HashMap;
fn cw(s: SideId, k: usize) -> SideId {
    SideId::new(s.piece(), Side::from_index(s.side().index() + k))
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let px: u32 = a[1].parse().unwrap();
    let b: usize = a[2].parse().unwrap();
    let cut_cost: f64 = a[3].parse().unwrap();
    let most: usize = a[4].parse().unwrap();
    let judge = LearnedJudge::shipped().clone().with_first(a[5].parse().unwrap());
    let (mut tot, mut listed, mut after, mut added, mut sides_added) =
        (0usize, 0usize, 0usize, 0usize, 0usize);
    for f in &a[6..] {
        let pic = fretsaw_io::read_picture(std::path::Path::new(f), &fretsaw_io::Limits::default())
            .unwrap()
            .picture;
        let c = cut(&pic, PieceShape::new(px, px).unwrap()).unwrap();
        let s = scramble(&c, &ScrambleSettings::new(PuzzleType::Type2, 1)).unwrap();
        let d = Dissimilarity::new(&s.pieces, Measure::Seam).unwrap();
        let n = find_nearest(&d, TurnSet::Quarter, &Judge::Learned.candidates(), &Silent).unwrap();
        let j = judge.judge(&d, &n, TurnSet::Quarter, &Silent).unwrap();
        let best = |u: SideId| {
            let l = j.candidates().of(u);
            &l[..l.len().min(b)]
        };
        let mut nb = vec![None; n.num_sides()];
        for Join { first, second } in s.truth.assembly().joins() {
            nb[first.index()] = Some(second);
            nb[second.index()] = Some(first);
        }
        for u in (0..n.num_sides()).map(SideId::from_index) {
            let mut found: HashMap<SideId, f64> = HashMap::new();
            for k in [1usize, 3] {
                for w in best(cw(u, k)) {
                    if 2.0 * w.dissimilarity > cut_cost {
                        continue;
                    }
                    for z1 in best(cw(w.side, k)) {
                        let c2 = 2.0 * (w.dissimilarity + z1.dissimilarity);
                        if c2 > cut_cost || z1.side.piece() == u.piece() {
                            continue;
                        }
                        for v1 in best(cw(z1.side, k)) {
                            let c3 = c2 + 2.0 * v1.dissimilarity;
                            if c3 > cut_cost {
                                continue;
                            }
                            let v = cw(v1.side, k);
                            if v.piece() == u.piece() || v.piece() == w.side.piece() {
                                continue;
                            }
                            if n.of(u).iter().any(|c| c.side == v) {
                                continue;
                            }
                            let e = found.entry(v).or_insert(f64::INFINITY);
                            *e = e.min(c3);
                        }
                    }
                }
            }
            let mut l: Vec<_> = found.into_iter().collect();
            l.sort_by(|x, y| x.1.total_cmp(&y.1));
            l.truncate(most);
            added += l.len();
            sides_added += usize::from(!l.is_empty());
            if let Some(t) = nb[u.index()] {
                tot += 1;
                if n.of(u).iter().any(|c| c.side == t) {
                    listed += 1;
                    after += 1
                } else if l.iter().any(|c| c.0 == t) {
                    after += 1
                }
            }
        }
    }
    println!(
        "b {b} cut {cut_cost} most {most}: listed {:.2} after {:.2} added/side {:.3} sides {:.3}",
        100.0 * listed as f64 / tot as f64,
        100.0 * after as f64 / tot as f64,
        added as f64 / tot as f64,
        sides_added as f64 / tot as f64
    );
}
