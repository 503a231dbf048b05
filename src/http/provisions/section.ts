import type { Provision } from './provision.ts'

export const section: Provision<'section'> =
  ({ deps }) =>
  <Section>(name: string) =>
    // The file was checked by the schema that the family declares for the section.
    deps.section(name) as Section | undefined
