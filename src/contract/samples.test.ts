import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { families } from '../families/index.ts'
import { samplesOf } from './samples.ts'
import { operationValidator } from './validate.ts'

for (const { family } of families) {
  for (const [name, operation] of Object.entries(family.operations)) {
    const examples = operation.examples.filter(example => example.body)
    if (!operation.body || examples.length === 0) continue
    const validator = operationValidator(family, operation)

    test(`${family.id}.${name}: every example is accepted`, () => {
      for (const example of examples) validator.body(structuredClone(example.body))
    })

    test(`${family.id}.${name}: every bound holds at its edge and one past it`, () => {
      const schemaOnly = operationValidator(family, { ...operation, rules: [] })
      const samples = samplesOf(operation, examples[0]?.body ?? {})
      assert.ok(samples.length > 20, `only ${samples.length} samples`)
      for (const sample of samples) {
        let refusal: unknown
        try {
          schemaOnly.body(structuredClone(sample.body))
        } catch (error) {
          refusal = error
        }
        if (sample.verdict === 'accept') assert.equal(refusal, undefined, `${sample.title}: ${refusal}`)
        else {
          assert.ok(refusal instanceof GatewayError, `${sample.title} was accepted`)
          assert.ok(
            refusal.issues.some(issue => issue.path[1] === sample.field),
            `${sample.title}: the refusal names ${refusal.field}`,
          )
          assert.match(refusal.message, new RegExp(sample.field), sample.title)
        }
      }
    })
  }
}
