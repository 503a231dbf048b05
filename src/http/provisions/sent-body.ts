import type { Provision } from './provision.ts'

export const sentBody: Provision<'sentBody'> = ({ call: { presentFields, body } }) => ({
  fields: presentFields,
  exactInteger: field => body.exactIntegers.get(field),
})
