import pg from 'pg'

/** Counts of the statements that this process sends to PostgreSQL. */
export interface RoundTrips {
  statements: number
  /** Number of times a connection had answered everything and was sent something again. */
  trips: number
}

const counts: RoundTrips = { statements: 0, trips: 0 }
const underway = new WeakMap<object, number>()

/** Counts from now on. Replaces the function of pg that sends a statement. */
export function countRoundTrips(): void {
  const send = pg.Client.prototype.query as (...values: unknown[]) => Promise<unknown>
  // The cast is safe: the arguments and the result stay those of pg.
  pg.Client.prototype.query = function (this: object, ...values: unknown[]) {
    const before = underway.get(this) ?? 0
    counts.statements += 1
    if (before === 0) counts.trips += 1
    underway.set(this, before + 1)
    const reply = send.apply(this, values)
    const note = () => underway.set(this, (underway.get(this) ?? 1) - 1)
    reply.then(note, note)
    return reply
  } as typeof pg.Client.prototype.query
}

/** Returns what was sent during some work. */
export async function roundTripsOf(work: () => Promise<void>): Promise<RoundTrips> {
  const before = { ...counts }
  await work()
  return { statements: counts.statements - before.statements, trips: counts.trips - before.trips }
}
