export interface SettingSpec {
  env: string
  default: string
  /** A sentence about the setting for `--help` and the settings page. */
  says: string
  /** Set for a secret: a variable with this name and `_FILE` at its end may contain the path of a
   *  file with the value. */
  secret?: true
}
