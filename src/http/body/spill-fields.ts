import type { Operation } from '../../contract/family.ts'
import { notesOf } from '../../contract/fields.ts'

/** The fields of an operation's body that hold base64 files: they are decoded to disk while they arrive. */
export function spillFieldsOf(operation: Operation): { path: string; maxBytes: number }[] {
  const fields: { path: string; maxBytes: number }[] = []
  for (const [name, field] of Object.entries(operation.body?.schema.properties ?? {})) {
    const { spillBytes } = notesOf(field)
    if (spillBytes !== undefined) fields.push({ path: name, maxBytes: spillBytes })
  }
  return fields
}
