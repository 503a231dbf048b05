import { GatewayError } from '@generation-gateway/kit/errors.ts'

const modes = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** Returns the address in the form that the client library accepts. The values `require`,
 *  `verify-ca` and `verify-full` of `sslmode` all check the server's certificate and the name in
 *  it. Throws `store_unavailable` with a message that does not contain the password. */
export function checkedUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw refused('it must begin with postgres://')
  if (!URL.canParse(text)) throw refused('it is no address such as postgres://user:password@host:5432/database')
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  if (mode === null) return text
  if (!modes.includes(mode)) throw refused(`sslmode is ${mode}; it must be disable, require, verify-ca, verify-full or no-verify`)
  if (mode !== 'require' && mode !== 'verify-ca') return text
  url.searchParams.set('sslmode', 'verify-full')
  return url.href
}

function refused(reason: string): GatewayError {
  return new GatewayError('store_unavailable', 'The address of the database is wrong.', { cause: reason })
}
