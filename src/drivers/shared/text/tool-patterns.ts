/** Checks texts against the regular expressions of custom tools, for upstreams that do not check
 *  them. An expression comes from the caller and may take seconds and hundreds of megabytes to
 *  compile or to match, so both are done in a thread with limits
 *  (docs/decisions/0012-callers-cannot-stall-others.md). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { inLimitedThread } from '@generation-gateway/kit/process/limited-thread.ts'

/** Largest number of UTF-16 units of the regular expressions of all tools together. Up to it, all
 *  common forms compile within the time limit of the thread. */
const longestPatterns = 10_000
const program = new URL('./tool-patterns-worker.ts', import.meta.url)

/** Input of the thread: expressions to compile, each with the text to check, if any. */
export interface PatternCheck {
  pattern: string
  text?: string
}

/** Result of one check. `invalid`: the expression cannot be compiled. `broken`: the text does not
 *  match the expression. */
export type PatternFinding = 'ok' | 'invalid' | 'broken'

/** Throws `invalid_request` when the expressions, by tool name, are too long together, or when one
 *  is too large for RE2 or not valid. An expression that cannot be compiled within the limits of
 *  the thread is accepted; the texts of its tool are then not checked. */
export async function refuseBadPatterns(patterns: ReadonlyMap<string, string>): Promise<void> {
  if (patterns.size === 0) return
  let length = 0
  for (const [name, pattern] of patterns) {
    length += pattern.length
    if (length <= longestPatterns) continue
    const message = `The regular expressions of the tools have more than ${longestPatterns} characters together, up to the one of ${name}.`
    throw new GatewayError('invalid_request', message, { field: 'tools' })
  }
  const findings = await findingsOf([...patterns.values()].map(pattern => ({ pattern })))
  const name = [...patterns.keys()].find((_, index) => findings?.[index] === 'invalid')
  if (name === undefined) return
  const message = `The regular expression of the tool ${name} is too large or not valid (RE2 syntax).`
  throw new GatewayError('invalid_request', message, { field: 'tools' })
}

/** Returns true when the whole text does not match the expression; false also when this cannot be
 *  checked within the limits. */
export async function isBroken(pattern: string, text: string): Promise<boolean> {
  const [finding] = (await findingsOf([{ pattern, text }])) ?? []
  return finding === 'broken'
}

async function findingsOf(checks: PatternCheck[]): Promise<PatternFinding[] | undefined> {
  return await inLimitedThread<PatternFinding[]>(program, checks)
}
