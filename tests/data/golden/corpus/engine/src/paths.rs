use std::path::{Component, Path, PathBuf};

#[derive(Debug, PartialEq)]
pub enum PathError {
    Escapes,
    Absolute,
}

/// Joins what a client sent to a root it must not leave.
pub fn confine(root: &Path, asked: &Path) -> Result<PathBuf, PathError> {
    let mut depth = 0usize;
    let mut joined = root.to_path_buf();
    for part in asked.components() {
        match part {
            Component::Normal(name) => {
                joined.push(name);
                depth += 1;
            }
            Component::ParentDir if depth == 0 => return Err(PathError::Escapes),
            Component::ParentDir => {
                joined.pop();
                depth -= 1;
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return Err(PathError::Absolute),
        }
    }
    Ok(joined)
}

/// A name that every file system takes.
pub fn portable(name: &str) -> String {
    let cleaned: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    let short: String = cleaned.trim_matches('.').chars().take(120).collect();
    if short.is_empty() { "unnamed".to_owned() } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_out_is_refused() {
        assert_eq!(confine(Path::new("/srv"), Path::new("a/../../b")), Err(PathError::Escapes));
    }
}
