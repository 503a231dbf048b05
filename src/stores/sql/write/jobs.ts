import { number, type Row, text } from '../values.ts'

/** Sorts rows of jobs by the time at which they are due, then by task. */
export function byDueTime(a: Row, b: Row): number {
  const difference = number(a, 'run_at') - number(b, 'run_at')
  if (difference !== 0) return difference
  return text(a, 'task_id') < text(b, 'task_id') ? -1 : 1
}

/** SQL: a column of text for a condition that no index must answer, because another condition
 *  finds the row by its key. A planner that knows no better reads all jobs or tasks of a state
 *  instead. */
export function unindexed(column: string): string {
  return `coalesce(${column}, '')`
}

/** SQL: the different values of a column in the jobs under a condition, in one index step for each,
 *  however many jobs have it. */
export function stepwise(column: string, condition: string): string {
  const least = `SELECT min(${column}) FROM jobs WHERE ${condition}`
  return `WITH RECURSIVE found(${column}) AS (
      ${least}
      UNION ALL
      SELECT (${least} AND jobs.${column} > found.${column}) FROM found WHERE found.${column} IS NOT NULL
    )
    SELECT ${column} FROM found WHERE ${column} IS NOT NULL`
}
