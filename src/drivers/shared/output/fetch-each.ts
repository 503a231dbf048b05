import type { Failed, OutputFile } from '@generation-gateway/kit/requests/job.ts'

/** Fetches one file for each item, one after another. Stops at the first failure and returns it. */
export async function fetchEach<Item, File extends OutputFile>(
  items: readonly Item[],
  fetch: (item: Item, index: number) => Promise<File | Failed>,
): Promise<File[] | Failed> {
  const files: File[] = []
  for (const [index, item] of items.entries()) {
    const file = await fetch(item, index)
    if ('state' in file) return file
    files.push(file)
  }
  return files
}
