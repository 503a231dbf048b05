import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLyrics } from './lyrics.ts'

test('sections go by their brackets, numbered and repeated, and a bracket without lines sings the lines of its name again', () => {
  const sections = parseLyrics(
    '[Verse 1]\nOne line\nTwo lines\n\n[Chorus (x2)]\nSing it (x2)\n[Solo]\n[Verse 2]\nMore\n[Chorus]\n[Bridge]\nOver',
  )
  assert.deepEqual(
    sections.map(({ kind, name, lines }) => [kind, name, lines.length]),
    [
      ['verse', 'Verse 1', 2],
      ['chorus', 'Chorus', 2],
      ['chorus', 'Chorus', 2],
      ['solo', 'Solo', 0],
      ['verse', 'Verse 2', 1],
      ['chorus', 'Chorus', 2],
      ['bridge', 'Bridge', 1],
    ],
  )
})

test('without brackets stanzas that come again are the chorus', () => {
  const sections = parseLyrics('I walk alone\nI walk at night\n\nOh sing with me!\n\nThe day is gone\n\nOh, sing with me')
  assert.deepEqual(
    sections.map(({ kind }) => kind),
    ['verse', 'chorus', 'verse', 'chorus'],
  )
})

test('sections with Chinese names, names with a colon and words of a choir in round brackets are told apart', () => {
  const sections = parseLyrics('【主歌】\n月亮升起\n【副歌】\n我爱你\nBridge:\nOnly (only you)\n(ooh) stay')
  assert.deepEqual(
    sections.map(({ kind, lines }) => [kind, lines.length]),
    [
      ['verse', 1],
      ['chorus', 1],
      ['bridge', 2],
    ],
  )
})
