import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactSheet } from './contact-sheet.ts'

const result = (family: string, file: string) => ({
  family,
  title: `A result of ${family}`,
  file,
  bytes: 1,
  facts: 'made in 1.0 s',
  seconds: 1,
})

test('the page says what each family makes, and shows the pages of a deck', () => {
  const page = contactSheet([result('F1', 'f1-fox.jpg'), result('Slides', 'slides-deck.pptx'), result('Search', 'search-top-2.txt')])
  assert.match(page, /<h2>Image generation and editing <small>F1<\/small><\/h2>/)
  assert.match(page, /<h2>Presentations <small>Slides<\/small><\/h2>/)
  assert.match(page, /<object[^>]* type="application\/pdf" data="slides-deck\.pdf/)
  assert.match(page, /<a href="slides-deck\.pptx">PPTX<\/a>/)
})

test('a family that no list knows keeps its name, escaped', () => {
  assert.match(contactSheet([result('<b>', 'x.txt')]), /<h2>&lt;b&gt;<\/h2>/)
})
