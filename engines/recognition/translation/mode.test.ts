import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsAt, stepsOf } from './mode.ts'

const mode = "lt-proc -w '/usr/share/a b/x.bin' | apertium-tagger -g $2 '/usr/share/x.prob' | lt-proc $1 '/usr/share/y.bin'\n"

test('a mode file is read into programs and arguments', () => {
  assert.deepEqual(stepsOf(mode), [
    { program: 'lt-proc', args: ['-w', '/usr/share/a b/x.bin'] },
    { program: 'apertium-tagger', args: ['-g', '/usr/share/x.prob'] },
    { program: 'lt-proc', args: ['-n', '/usr/share/y.bin'] },
  ])
})

test('programs and data are found by name in other folders; if one is missing, the mode cannot be used', () => {
  assert.deepEqual(stepsAt(stepsOf(mode), name => `/p/${name}`)?.[0], { program: '/p/lt-proc', args: ['-w', '/p/x.bin'] })
  assert.equal(
    stepsAt(stepsOf(mode), name => (name === 'y.bin' ? undefined : name)),
    undefined,
  )
})

test('a command with special characters of the shell is refused', () => {
  for (const bad of ['a; b', 'a && b', 'a > b', 'a $(b)', 'a `b`', 'a | | b', 'a\nb', '']) assert.throws(() => stepsOf(bad))
})
