/** Decides which node's configuration file applies to all nodes of a store: when the accounts,
 *  keys and endpoints of one file replace those of another node's file (docs/decisions/0047). */

/** The configuration file of a node, as the node last read it. */
export interface FileOfNode {
  node: string
  /** SHA-256 of the accounts, keys and endpoints in the file, hex. */
  sha256: string
  /** Modification time of the file, Unix milliseconds. */
  modifiedAt: number
  /** Time at which the node read the file, Unix milliseconds. */
  at: number
}

export interface FileGeneration {
  /** Number of this generation, from 1; it grows by 1 whenever a file with other content begins to
   *  apply. */
  number: number
  sha256: string
  /** Latest modification time of the files that have applied so far, Unix milliseconds. On a
   *  shared store, the file of another node replaces the current one only if it was modified
   *  later, or has changed since that node started. */
  modifiedAt: number
  /** The node whose file began this generation. */
  node: string
  startedAt: number
  /** The files that nodes have read, one for each node, the latest reading last; at most 100. */
  nodes: FileOfNode[]
}

export interface FileCandidate extends FileOfNode {
  /** True when the accounts, keys and endpoints in the file differ from those that this node read
   *  earlier, since its start. */
  isChange: boolean
  /** True when only this node uses the store: its file is then always the newest. */
  isAlone: boolean
}

/** The relation of a file to the one that applies. `next`: it is newer and begins a new generation.
 *  `current`: its content is the same. `older`: it must neither revoke nor overwrite anything. */
export type FileStanding = 'next' | 'current' | 'older'

const mostNodes = 100

export function fileStanding(current: FileGeneration | undefined, candidate: FileCandidate): FileStanding {
  if (current === undefined) return 'next'
  if (candidate.sha256 === current.sha256) return 'current'
  const isNewest = candidate.isAlone || candidate.isChange || candidate.modifiedAt > current.modifiedAt
  return isNewest ? 'next' : 'older'
}

/** Returns the generation that applies after a node has read the candidate file; its list of files
 *  includes the candidate. */
export function generationWith(current: FileGeneration | undefined, candidate: FileCandidate): FileGeneration {
  const { isChange: _change, isAlone, ...file } = candidate
  const others = isAlone ? [] : (current?.nodes ?? []).filter(({ node }) => node !== file.node)
  const nodes = [...others, file].slice(-mostNodes)
  const standing = fileStanding(current, candidate)
  // The modification time of a generation never decreases. A changed file may have an earlier time
  // than the file that it replaces. Without this rule, another node that still has the replaced
  // file could then undo the change.
  const modifiedAt = standing === 'older' ? 0 : file.modifiedAt
  const latest = Math.max(current?.modifiedAt ?? 0, modifiedAt)
  if (current !== undefined && standing !== 'next') return { ...current, modifiedAt: latest, nodes }
  const { node, sha256, at: startedAt } = file
  return { number: (current?.number ?? 0) + 1, sha256, modifiedAt: latest, node, startedAt, nodes }
}

/** Returns the first 12 digits of the hash and the modification time, for messages to operators. */
export function shownFile({ sha256, modifiedAt }: Pick<FileOfNode, 'sha256' | 'modifiedAt'>): string {
  return `${sha256.slice(0, 12)} of ${new Date(modifiedAt).toISOString()}`
}
