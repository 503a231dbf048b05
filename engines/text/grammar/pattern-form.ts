import type { CharSet } from './char-set.ts'

export type Pattern =
  | { kind: 'chars'; set: CharSet }
  | { kind: 'text'; text: string }
  | { kind: 'sequence'; items: Pattern[] }
  | { kind: 'choice'; items: Pattern[] }
  | { kind: 'repeat'; item: Pattern; min: number; max: number | undefined }
  | { kind: 'rule'; name: string }
