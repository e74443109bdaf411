//! Names of methods with their settings.

use crate::set_run::MethodKey;
use fretsaw::Effort;
use serde_json::Value;

/// Settings whose values need no name beside them.
const SPEAKING: [&str; 4] = ["variant", "ranking", "filling", "form"];

/// The method, with every setting of its own that is not the default, in order of their names: two
/// runs that differ in a setting have different names.
pub(crate) fn method_name(key: &MethodKey) -> String {
    let name = key.name();
    if let MethodKey::Fretsaw { effort } = key {
        let effort = effort.filter(|&effort| effort != Effort::default());
        return effort.map_or_else(|| name.into(), |effort| format!("{name}-{}", effort.name()));
    }
    let mut words = vec![name.to_owned()];
    if let Some(default) = MethodKey::from_name(name) {
        name_differences(&fields(key), &fields(&default), &mut words);
    }
    words.join(" ")
}

fn fields(key: &MethodKey) -> Value {
    // Settings are structs of numbers, texts and more of such structs: nothing can fail.
    let mut fields = serde_json::to_value(key).unwrap_or_default();
    if let MethodKey::Yu { yu } = key {
        // Two fields that have one name.
        fields["yu"]["variant"] = yu.variant.map_or(Value::Null, |variant| variant.name().into());
    }
    fields
}

/// Adds the name of every field that differs, and its value unless the name implies it.
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
    use fretsaw::unstable::locations::ranking::Ranking;
    use fretsaw::unstable::methods::yu::{Variant, YuSettings};
    use fretsaw_gcl::alternatives::quadratic_assignment::{QapForm, QapSettings};
    use fretsaw_gcl::construction::ConstructionSettings;
    use fretsaw_gcl::type_two::{GclSettings, Keep};
    use fretsaw_gcl::update::UpdateSettings;

    fn yu(yu: YuSettings) -> String {
        method_name(&MethodKey::Yu { yu })
    }

    fn gcl(gcl: GclSettings) -> String {
        method_name(&MethodKey::Gcl { gcl })
    }

    #[test]
    fn defaults_go_without_saying() {
        assert_eq!(method_name(&MethodKey::Gallagher {}), "gallagher");
        assert_eq!(yu(YuSettings::default()), "yu");
        assert_eq!(gcl(GclSettings::default()), "gcl");
    }

    #[test]
    fn efforts_are_part_of_the_name() {
        let fretsaw = |effort| method_name(&MethodKey::Fretsaw { effort });
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
        let key = MethodKey::Assignment { assignment };
        assert_eq!(method_name(&key), "assignment undirected");
    }
}
