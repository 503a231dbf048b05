import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLyrics } from './lyrics.ts'

test('brackets divide lyrics into sections, numbered and repeated; a bracket without lines repeats the section of that name', () => {
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

test('without brackets, a repeated stanza is the chorus', () => {
  const sections = parseLyrics('I walk alone\nI walk at night\n\nOh sing with me!\n\nThe day is gone\n\nOh, sing with me')
  assert.deepEqual(
    sections.map(({ kind }) => kind),
    ['verse', 'chorus', 'verse', 'chorus'],
  )
})

test('Chinese section names and names with a colon are read, and a choir in round brackets is no section', () => {
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
