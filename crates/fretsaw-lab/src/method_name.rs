//! Names of methods that tell their settings.

use crate::set_run::RunKey;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::methods::fretsaw::Effort;
use fretsaw::methods::gcl::GclSettings;
use fretsaw::methods::yu::YuSettings;
use serde::Serialize;
use serde_json::Value;

/// Settings whose values need no name beside them.
const SPEAKING: [&str; 4] = ["variant", "ranking", "filling", "form"];

/// The method, with every setting of its own that is not the default, in order of their names: two
/// runs that differ in a setting have different names.
#[must_use]
pub fn method_name(key: &RunKey) -> String {
    let effort = key.effort.filter(|&effort| effort != Effort::default());
    let name = key.method.name();
    let mut words =
        vec![effort.map_or_else(|| name.into(), |effort| format!("{name}-{}", effort.name()))];
    if let Some(settings) = key.yu {
        name_differences(&yu_fields(settings), &yu_fields(YuSettings::default()), &mut words);
    }
    if let Some(settings) = key.gcl {
        name_differences(&fields(settings), &fields(GclSettings::default()), &mut words);
    }
    if let Some(settings) = key.assignment {
        name_differences(&fields(settings), &fields(QapSettings::default()), &mut words);
    }
    words.join(" ")
}

fn fields(settings: impl Serialize) -> Value {
    // Settings are structs of numbers, texts and more of such structs: nothing can fail.
    serde_json::to_value(settings).unwrap_or_default()
}

fn yu_fields(settings: YuSettings) -> Value {
    let mut fields = fields(settings);
    // Of two fields, but known by one name.
    fields["variant"] = settings.variant.map_or(Value::Null, |variant| variant.name().into());
    fields
}

/// Adds the name of every field that differs, and its value unless the name tells it.
fn name_differences(settings: &Value, default: &Value, words: &mut Vec<String>) {
    for (field, value) in settings.as_object().into_iter().flatten() {
        let usual = &default[field];
        if value == usual {
            continue;
        }
        let name = field.replace('_', "-");
        match value {
            Value::Object(_) => name_differences(value, usual, words),
            Value::Bool(true) => words.push(name),
            Value::Bool(false) => words.push(format!("no-{name}")),
            Value::String(text) if SPEAKING.contains(&field.as_str()) => words.push(text.clone()),
            Value::String(text) => words.push(format!("{name} {text}")),
            Value::Null | Value::Number(_) | Value::Array(_) => {
                words.push(format!("{name} {value}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_records::record;
    use fretsaw::connection_graph::construction::ConstructionSettings;
    use fretsaw::connection_graph::update::UpdateSettings;
    use fretsaw::locations::quadratic_assignment::QapForm;
    use fretsaw::locations::ranking::Ranking;
    use fretsaw::methods::gcl::Keep;
    use fretsaw::methods::yu::Variant;
    use fretsaw::solve::Method;

    fn yu(yu: YuSettings) -> String {
        method_name(&RunKey { method: Method::Yu, yu: Some(yu), ..record("1.png", 1, 0.5).key })
    }

    fn gcl(gcl: GclSettings) -> String {
        method_name(&RunKey { method: Method::Gcl, gcl: Some(gcl), ..record("1.png", 1, 0.5).key })
    }

    #[test]
    fn defaults_go_without_saying() {
        assert_eq!(method_name(&record("1.png", 1, 0.5).key), "gallagher");
        assert_eq!(yu(YuSettings::default()), "yu");
        assert_eq!(gcl(GclSettings::default()), "gcl");
    }

    #[test]
    fn efforts_are_part_of_the_name() {
        let fretsaw = |effort| {
            method_name(&RunKey { method: Method::Fretsaw, effort, ..record("1.png", 1, 0.5).key })
        };
        assert_eq!(fretsaw(None), "fretsaw");
        assert_eq!(Effort::ALL.map(Some).map(fretsaw), ["fretsaw-fast", "fretsaw", "fretsaw-high"]);
    }

    #[test]
    fn what_differs_is_named() {
        let default = YuSettings::default();
        assert_eq!(yu(YuSettings { variant: Some(Variant::ALL[5]), ..default }), "yu free-loops");
        assert_eq!(yu(YuSettings { ranking: Ranking::Inverse, ..default }), "yu inverse");
        assert_eq!(yu(YuSettings { rounds: 3, decay: 2.5, ..default }), "yu decay 2.5 rounds 3");

        let default = GclSettings::default();
        assert_eq!(gcl(GclSettings { iterations: 0, ..default }), "gcl iterations 0");
        assert_eq!(
            gcl(GclSettings { keep: Keep::Last, second_start: true, ..default }),
            "gcl keep last second-start"
        );
        let construction =
            ConstructionSettings { jaccard_restores: true, ..ConstructionSettings::default() };
        let update =
            UpdateSettings { solution_share: 0.4, bad_factor: 2.0, ..UpdateSettings::default() };
        assert_eq!(
            gcl(GclSettings { construction, update, ..default }),
            "gcl jaccard-restores bad-factor 2.0 solution-share 0.4"
        );

        let assignment = QapSettings { form: QapForm::Undirected, ..QapSettings::default() };
        let key = record("1.png", 1, 0.5).key;
        let key = RunKey { method: Method::Assignment, assignment: Some(assignment), ..key };
        assert_eq!(method_name(&key), "assignment undirected");
    }
}
