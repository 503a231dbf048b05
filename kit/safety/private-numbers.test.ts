import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPrivateNumbers } from './private-numbers.ts'

test('payment cards, social security and Chinese identity numbers are found in their usual writings', () => {
  // These are test numbers that card networks and the standard GB 11643 publish. They belong to no
  // real person.
  const texts = [
    'card 4539 1488 0343 6467, valid until May',
    '5500-0055-5555-5559',
    '378282246310005',
    '219-09-9999',
    '11010519491231002X',
    '１１０１０５１９４９１２３１００２Ｘ',
  ]
  for (const text of texts) assert.ok(findPrivateNumbers(text), text)
})

test('other numbers are not found', () => {
  const texts = [
    'call 555-0123',
    '+1 415 555 2671',
    '2024-11-21 10:55',
    '1920 x 1080 x 60',
    '4539 1488 0343 6468',
    '110105194912310021',
    '0000 0000 0000 0000',
    '3.14159265358979323846',
    'seed 1234567890',
    '',
  ]
  for (const text of texts) assert.equal(findPrivateNumbers(text), false, text)
})
