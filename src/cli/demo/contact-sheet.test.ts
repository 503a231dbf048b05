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

test('the page describes the results of each family, and shows the pages of a deck', () => {
  const page = contactSheet([result('F1', 'f1-fox.jpg'), result('Slides', 'slides-deck.pptx'), result('Search', 'search-top-2.txt')])
  assert.match(page, /<h2>Image generation and editing <small>F1<\/small><\/h2>/)
  assert.match(page, /<h2>Presentations <small>Slides<\/small><\/h2>/)
  assert.match(page, /<object[^>]* type="application\/pdf" data="slides-deck\.pdf/)
  assert.match(page, /<a href="slides-deck\.pptx">PPTX<\/a>/)
})

test('families with one result share a row, and a name that equals the title is written once', () => {
  const page = contactSheet([result('chat', 'a.txt'), result('chat', 'b.txt'), result('messages', 'c.txt')])
  assert.match(page, /<section><h2>Chat completions <small>chat<\/small><\/h2>/)
  assert.match(page, /<section class="one"><h2>Messages<\/h2>/)
})

test('a family that no list contains keeps its name, escaped', () => {
  assert.match(contactSheet([result('<b>', 'x.txt')]), /<h2>&lt;b&gt;<\/h2>/)
})
