import { spawnSync } from 'node:child_process'

/** The environment variable of uv for each setting of pip that says where packages come from. */
const variables: Readonly<Record<string, string>> = {
  'index-url': 'UV_DEFAULT_INDEX',
  'extra-index-url': 'UV_INDEX',
  'find-links': 'UV_FIND_LINKS',
  'no-index': 'UV_NO_INDEX',
  'trusted-host': 'UV_INSECURE_HOST',
  cert: 'SSL_CERT_FILE',
}
/** The sections of pip's configuration that apply to installations, the weakest first. */
const sections = ['global', 'install', ':env:']

/** Returns pip's settings of this machine as environment variables of uv, which does not read
 *  pip's configuration. */
export function uvSettings(): Record<string, string> {
  const { stdout, error } = spawnSync('python3', ['-m', 'pip', 'config', 'list'], { encoding: 'utf8' })
  if (error) throw error
  return uvSettingsOf(stdout)
}

/** Returns the settings in the output of `pip config list` as environment variables of uv. White
 *  space separates the items of a setting that is a list. */
export function uvSettingsOf(list: string): Record<string, string> {
  const found = [...list.matchAll(/^(global|install|:env:)\.([a-z-]+)=(['"])(.*)\3$/gm)].sort(
    ([, a = ''], [, b = '']) => sections.indexOf(a) - sections.indexOf(b),
  )
  const settings: Record<string, string> = {}
  for (const [, , name = '', , value = ''] of found) {
    const variable = variables[name]
    const items = value.split(/(?:\s|\\n)+/).filter(item => item !== '')
    if (variable) settings[variable] = items.join(variable === 'UV_FIND_LINKS' ? ',' : ' ')
  }
  return settings
}
