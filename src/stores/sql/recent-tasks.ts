import type { Task } from '../../core/records/task.ts'

const mostTasks = 4_096
/** Largest number of characters of all remembered rows together. The objects that are made from
 *  them take up to about four times as many bytes. The limit is enough for 4,096 tasks with
 *  pictures; the row of a transcript with words has 600,000 characters for an hour of speech. */
const mostCharacters = 16 * 1024 * 1024

/** Tasks that were read not long ago, because clients poll the same few tasks again and again.
 *  When there are too many or they are too large, those that were read first are forgotten. */
export class RecentTasks {
  readonly #tasks = new Map<string, { task: Task; characters: number }>()
  #characters = 0

  get(id: string): Task | undefined {
    return this.#tasks.get(id)?.task
  }

  /** Remembers a task whose row has this number of characters. */
  add(task: Task, characters: number): void {
    this.delete(task.id)
    this.#tasks.set(task.id, { task, characters })
    this.#characters += characters
    for (const id of this.#tasks.keys()) {
      if (this.#tasks.size <= mostTasks && this.#characters <= mostCharacters) return
      this.delete(id)
    }
  }

  delete(id: string): void {
    this.#characters -= this.#tasks.get(id)?.characters ?? 0
    this.#tasks.delete(id)
  }

  clear(): void {
    this.#tasks.clear()
    this.#characters = 0
  }
}
