import { number, type Row, text } from '../values.ts'

/** Sorts rows of jobs or webhook deliveries by the time at which they are due, then by task. */
export function byDueTime(a: Row, b: Row): number {
  const difference = number(a, 'run_at') - number(b, 'run_at')
  if (difference !== 0) return difference
  return text(a, 'task_id') < text(b, 'task_id') ? -1 : 1
}

/** Returns the SQL expression of a text column, written so that the database does not use an
 *  index for a condition on it. Another condition of the statement finds the row by its key;
 *  with an index on this column, the planner might read all jobs or tasks of a state instead. */
export function unindexed(column: string): string {
  return `coalesce(${column}, '')`
}

/** Returns SQL for the different values of a column in the rows of a table that meet a condition.
 *  It takes one index lookup for each value, however many rows have that value. */
export function stepwise(table: string, column: string, condition: string): string {
  const least = `SELECT min(${column}) FROM ${table} WHERE ${condition}`
  return `WITH RECURSIVE found(${column}) AS (
      ${least}
      UNION ALL
      SELECT (${least} AND ${table}.${column} > found.${column}) FROM found WHERE found.${column} IS NOT NULL
    )
    SELECT ${column} FROM found WHERE ${column} IS NOT NULL`
}
