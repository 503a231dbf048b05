import assert from 'node:assert/strict'
import { test } from 'node:test'
import { longFunctions } from './function-lines.ts'

const found = (text: string, isTest = false) =>
  longFunctions('a.ts', text, { most: 3, isTest }).map(({ name, lines }) => `${name} ${lines}`)

test('every kind of function is counted, with what is nested in it', () => {
  const body = '{\n\n  // why\n}'
  assert.deepEqual(found(`export function a() ${body}`), ['a 4'])
  assert.deepEqual(found(`export default function () ${body}`), ['default 4'])
  assert.deepEqual(found(`const b = () => ${body}`), ['b 4'])
  assert.deepEqual(found(`const c = () =>\n  [\n    1,\n  ]`), ['c 4'])
  assert.deepEqual(found(`class D {\n  constructor() ${body}\n  #e() ${body}\n  get f() ${body}\n  g = async function* () ${body}\n}`), [
    'D.constructor 4',
    'D.#e 4',
    'D.f 4',
    'D.g 4',
  ])
  assert.deepEqual(found(`const h = { i: () => ${body}, j() ${body} }`), ['h.i 4', 'h.j 4'])
  assert.deepEqual(found(`function k() {\n  const l = () => ${body}\n  return l\n}`), ['k 7', 'k.l 4'])
  assert.deepEqual(found('const m = () => {\n\n}'), [])
})

test('in tests, cases and functions that declare them are left out, and nothing else', () => {
  const text =
    "describe('a', () => {\n  test('b', () => {\n\n\n  })\n})\nexport function cases() {\n  test('c', () => {\n\n\n  })\n}\nfunction help() {\n\n\n}"
  assert.deepEqual(found(text, true), ['help 4'])
  assert.deepEqual(found(text), ['default 6', 'default 4', 'cases 6', 'cases 4', 'help 4'])
})
