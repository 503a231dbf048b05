/** Returns a lookup in the table of rare nouns (see `PackContents.rareNouns`), which is read at the
 *  first call: most prompts need no rare noun. The lookup returns the targets of a noun, each led
 *  by `=` (synonym) or `<` (kind of); empty for a noun that the table lacks. */
export function rareNounReader(read: () => string): (noun: string) => string[] {
  let lines: string[] | undefined
  return noun => {
    lines ??= read().split('\n')
    const line = lines[firstNotBefore(lines, `${noun}\t`)]
    return line?.startsWith(`${noun}\t`) ? line.slice(noun.length + 1).split('\t') : []
  }
}

function firstNotBefore(lines: readonly string[], key: string): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
