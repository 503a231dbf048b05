import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { JsonScanner } from '@generation-gateway/kit/json-scanner.ts'

/** Largest number of values in one body, unless an operation sets another one. Parsing and later
 *  steps block the event loop, and parsing takes about a microsecond per value
 *  (docs/measured.md#parsing). The limit keeps this time short. */
export const usualValues = 100_000

/** Throws `payload_too_large` when the body has more than `most` values; `what` is the word for
 *  them in the message. */
export function limitValues(count: number, most = usualValues, what = 'values'): void {
  if (count > most) throw new GatewayError('payload_too_large', `The body has more than ${most} ${what}.`)
}

/** Largest number of members of one object in a body. Each member costs about 4 microseconds of
 *  CPU time over all steps (60,000 took 0.23 s); the interface has no object with as many. */
const mostMembers = 10_000

/** Throws `payload_too_large` when an object in the JSON has more than 10,000 members. `named`
 *  returns the words for the object at an offset in the JSON, which may be malformed. */
export function limitMembers(json: Buffer, named: (offset: number) => string): void {
  /** The open objects, by their depth. */
  const open: { begin: number; members: number }[] = []
  const scanner: JsonScanner = new JsonScanner({
    begin(kind, at) {
      if (kind === 'object') open[scanner.depth + 1] = { begin: at, members: 0 }
    },
    key() {
      const object = open[scanner.depth]
      if (object !== undefined && ++object.members > mostMembers)
        throw new GatewayError('payload_too_large', `${named(object.begin)} has more than ${mostMembers} members.`)
    },
  })
  scanner.feed(json)
}
