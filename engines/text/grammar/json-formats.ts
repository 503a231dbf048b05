/** Regular expressions for string formats such as dates. Where a format as a whole cannot be
 *  described by a regular expression, the expression is stricter than the format. */
const day31 = '(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])'
const day30 = '(0[469]|11)-(0[1-9]|[12][0-9]|30)'
const february = '02-(0[1-9]|1[0-9]|2[0-8])'
const date = `(19|20)[0-9]{2}-(${day31}|${day30}|${february})`
const time = '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,3})?(Z|[+-](0[0-9]|1[0-3]):[0-5][0-9])'
const label = '[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?'
const hostname = `${label}(\\.${label}){1,3}`
const byte = '(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'

export const stringFormats: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: 'P([0-9]{1,4}D(T[0-9]{1,3}H)?|[0-9]{1,3}W|T([0-9]{1,4}H([0-9]{1,2}M)?|[0-9]{1,4}M|[0-9]{1,5}S))',
  email: `[A-Za-z0-9]+([._+-][A-Za-z0-9]+){0,3}@${hostname}`,
  hostname,
  ipv4: `${byte}(\\.${byte}){3}`,
  ipv6: '[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}',
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  uri: `https?://${hostname}(/[A-Za-z0-9_.~-]{1,40}){0,6}`,
}
