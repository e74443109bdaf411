//! Disjoint sets with union by size and path halving.

/// A partition of 0 to n - 1 into disjoint sets that can be joined.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<usize>,
    size: Vec<usize>,
}

impl UnionFind {
    /// Every element is a set of its own.
    pub fn new(num_elements: usize) -> Self {
        Self { parent: (0..num_elements).collect(), size: vec![1; num_elements] }
    }

    /// The representative of an element's set; the same for all its members until the next union.
    pub fn find(&mut self, mut element: usize) -> usize {
        while self.parent[element] != element {
            self.parent[element] = self.parent[self.parent[element]];
            element = self.parent[element];
        }
        element
    }

    /// Joins two sets; returns false if they were the same set.
    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        let (large, small) = if self.size[a] >= self.size[b] { (a, b) } else { (b, a) };
        self.parent[small] = large;
        self.size[large] += self.size[small];
        true
    }

    /// The number of members of an element's set, itself included.
    pub fn size_of(&mut self, element: usize) -> usize {
        let root = self.find(element);
        self.size[root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn union_merges_once_and_counts_members() {
        let mut sets = UnionFind::new(5);
        assert!(sets.union(0, 1));
        assert!(sets.union(3, 4));
        assert!(sets.union(1, 4));
        assert!(!sets.union(0, 3));
        assert_eq!(sets.size_of(3), 4);
        assert_eq!(sets.size_of(2), 1);
        assert_eq!(sets.find(0), sets.find(4));
    }
}
