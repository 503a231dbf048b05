import pg from 'pg'

/** Numbers of statements and round trips from this process to PostgreSQL. */
export interface RoundTrips {
  statements: number
  /** Number of round trips. A statement starts a new round trip when no earlier statement on its
   *  connection still waits for a result. */
  trips: number
}

const counts: RoundTrips = { statements: 0, trips: 0 }
const underway = new WeakMap<object, number>()

/** Starts to count. It replaces the method of the library pg that sends a statement. */
export function countRoundTrips(): void {
  const send = pg.Client.prototype.query as (...values: unknown[]) => Promise<unknown>
  // The cast is safe: arguments and result are passed on unchanged.
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

/** Runs the work and returns what was sent to PostgreSQL meanwhile. */
export async function roundTripsOf(work: () => Promise<void>): Promise<RoundTrips> {
  const before = { ...counts }
  await work()
  return { statements: counts.statements - before.statements, trips: counts.trips - before.trips }
}
