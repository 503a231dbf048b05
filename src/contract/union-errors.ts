/** Selects the validation errors that help a caller, for a field that accepts several forms. */
import type { ErrorObject } from 'ajv'

/** Returns those of Ajv's errors that help a caller. For a field that accepts several forms (a
 *  union), Ajv reports the errors of every form. When the value has the type of one form, only the
 *  errors of that form are kept. When its type fits no form, they are replaced by one error of the
 *  keyword `type` that lists the types of all forms. For a union of constants, they are replaced by
 *  one error of the keyword `const` that lists the constants in its parameter `allowedValues`. The
 *  time is proportional to the number of errors. */
export function withoutOtherForms(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  // Ajv reports the error of a union right after the errors inside the union, so a union within a
  // union is handled before the outer one.
  for (const error of errors) {
    if (error.keyword !== 'anyOf') kept.push(error)
    else for (const each of settle(takeInside(kept, error), error)) kept.push(each)
  }
  return kept
}

/** Removes the errors that belong to the union from the end of the list. */
function takeInside(kept: ErrorObject[], union: ErrorObject): ErrorObject[] {
  const first = kept.findLastIndex(error => formOf(error, union) === undefined) + 1
  return kept.splice(first)
}

function settle(inside: readonly ErrorObject[], union: ErrorObject): ErrorObject[] {
  const others = inside.filter(error => error.keyword === 'type' && error.instancePath === union.instancePath)
  const otherForms = new Set(others.map(error => formOf(error, union)))
  const ofItsForm = inside.filter(error => !otherForms.has(formOf(error, union)))
  if (ofItsForm.length > 0) return oneOfWords(ofItsForm, union)
  return [{ ...union, keyword: 'type', params: { type: [...new Set(others.flatMap(error => error.params.type))] } }]
}

/** Combines the errors of a union of constants into one, which lists the allowed values. */
function oneOfWords(errors: ErrorObject[], union: ErrorObject): ErrorObject[] {
  if (errors.some(error => error.keyword !== 'const' || error.instancePath !== union.instancePath)) return errors
  if (errors.length === 1) return errors
  return [{ ...union, keyword: 'const', params: { allowedValues: errors.map(error => error.params.allowedValue) } }]
}

/** Returns which form of the union the error is about, as the form's number in the schema;
 *  undefined for an error of another field, or of the same union in another item of a list. */
function formOf(error: ErrorObject, union: ErrorObject): string | undefined {
  const start = `${union.schemaPath}/`
  const isInside = error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`)
  return isInside && error.schemaPath.startsWith(start) ? error.schemaPath.slice(start.length).split('/')[0] : undefined
}
