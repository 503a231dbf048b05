/** Every stored response has an id of this form: ours are made so, and of an upstream's only such ones are noted. */
const form = '(resp_[\\w-]{1,200})'
const whole = new RegExp(`^${form}$`)
const inAnswer = new RegExp(`"id"\\s*:\\s*"${form}"`)

/** Whether a stored response could have this id. */
export function isResponseId(id: string): boolean {
  return whole.test(id)
}

/** The first id of a response in the beginning of an answer, which is its own; undefined while it has not come. */
export function responseIdIn(head: Buffer): string | undefined {
  return inAnswer.exec(head.toString('latin1'))?.[1]
}
