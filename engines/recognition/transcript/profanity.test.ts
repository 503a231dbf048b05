import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withProfanity } from './profanity.ts'

for (const language of ['pt', 'pt-BR', 'pt_br', 'Portuguese'])
  test(`offensive words in a text in ${language} are hidden`, () => {
    assert.equal(withProfanity('Que merda, meu amigo.', 'masked', language), 'Que *****, meu amigo.')
    assert.equal(withProfanity('Que merda, meu amigo.', 'tagged', language), 'Que <profanity>merda</profanity>, meu amigo.')
    assert.equal(withProfanity('Que merda, meu amigo.', 'kept', language), 'Que merda, meu amigo.')
  })

test('a text in a language without a word list is not changed', () => {
  assert.equal(withProfanity('merda', 'masked', 'sv-SE'), 'merda')
  assert.equal(withProfanity('merda', 'masked', 'und'), 'merda')
})
