/** Returns a function that looks up a rare noun and returns its targets (see
 *  `PackContents.rareNouns`): each is a catalogue word after `=` (synonym) or `<` (more general
 *  thing). The list is empty for an unknown noun. The table is read at the first lookup, because
 *  most prompts have no rare noun. */
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
