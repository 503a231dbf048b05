import { bandStyles } from './bands.ts'
import { beatStyles } from './beats.ts'
import { concertStyles } from './concert.ts'
import { electronicStyles } from './electronic.ts'
import { rootStyles } from './roots.ts'
import { southernStyles } from './southern.ts'
import type { Style } from './style.ts'

export const styles: readonly Style[] = [
  ...bandStyles,
  ...rootStyles,
  ...southernStyles,
  ...electronicStyles,
  ...beatStyles,
  ...concertStyles,
]

/** Returns the style with this id. Throws a TypeError for an unknown one. */
export function styleNamed(id: string): Style {
  const found = styles.find(style => style.id === id)
  if (!found) throw new TypeError(`there is no style ${id}`)
  return found
}
