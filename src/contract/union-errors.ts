/** What is wrong with a field that has several forms. */
import type { ErrorObject } from 'ajv'

/** Of Ajv's errors those that tell a caller something: where a value has one of the forms that its field may have, what is wrong with that form; where it has none, one of the
 *  keyword `type` with the types of all forms; in a union of words one of the keyword `const` with these as its parameter `allowedValues`. What the other forms would have asked for is left out. Takes time in proportion to the errors, however many a caller causes. */
export function withoutOtherForms(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  // Ajv tells of a union right behind what is in it, so an inner one is settled before its outer one.
  for (const error of errors) {
    if (error.keyword !== 'anyOf') kept.push(error)
    else for (const each of settle(takeInside(kept, error), error)) kept.push(each)
  }
  return kept
}

/** Takes from the end of the list what belongs to the union. */
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

/** A union of words is a list of words. */
function oneOfWords(errors: ErrorObject[], union: ErrorObject): ErrorObject[] {
  if (errors.some(error => error.keyword !== 'const' || error.instancePath !== union.instancePath)) return errors
  if (errors.length === 1) return errors
  return [{ ...union, keyword: 'const', params: { allowedValues: errors.map(error => error.params.allowedValue) } }]
}

/** Which form of the union the error belongs to; undefined for one of another field, or of the same union in another item of a list. */
function formOf(error: ErrorObject, union: ErrorObject): string | undefined {
  const start = `${union.schemaPath}/`
  const isInside = error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`)
  return isInside && error.schemaPath.startsWith(start) ? error.schemaPath.slice(start.length).split('/')[0] : undefined
}
