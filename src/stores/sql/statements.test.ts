import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('statements name their columns, so that columns of a newer program have no effect', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(file => !file.endsWith('.test.ts'))
  assert.ok(files.length > 30)
  for (const file of files) {
    const found = /(SELECT|RETURNING)\s+(\w+\.)?\*/.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))
    assert.equal(found, null, `${file}: ${found?.[0]}`)
  }
})
