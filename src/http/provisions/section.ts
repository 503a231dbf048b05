import type { Provision } from './provision.ts'

export const section: Provision<'section'> =
  ({ deps }) =>
  <Section>(name: string) =>
    // The cast is safe: the file was validated against the schema that the family declares for the
    // section.
    deps.section(name) as Section | undefined
