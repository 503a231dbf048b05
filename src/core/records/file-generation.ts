/** The configuration file in force for all nodes of a store: the rules by which the accounts, keys
 *  and endpoints of one node's file replace those of another's (docs/decisions/0047). */

/** The file of a node when the node read it last. */
export interface FileOfNode {
  node: string
  /** SHA-256 of the file's accounts, keys and endpoints, hex. */
  sha256: string
  /** Modification time of the file, Unix milliseconds. */
  modifiedAt: number
  /** Time of the reading, Unix milliseconds. */
  at: number
}

export interface FileGeneration {
  /** Counts up from 1. */
  number: number
  sha256: string
  /** A file of another content has to be modified later than this, Unix milliseconds: the latest
   *  time of a file that was in force so far. */
  modifiedAt: number
  /** The node that brought it, and when. */
  node: string
  startedAt: number
  /** The file of each node that has read one, the latest reading last; at most 100. */
  nodes: FileOfNode[]
}

export interface FileCandidate extends FileOfNode {
  /** The node read other accounts, keys or endpoints earlier, since it started. */
  isChange: boolean
  /** The store belongs to this node alone: its file is always the newest. */
  isAlone: boolean
}

/** `next`: the file is the newest, and begins a generation. `current`: its content is that of the
 *  generation in force. `older`: it may neither revoke nor overwrite anything. */
export type FileStanding = 'next' | 'current' | 'older'

const mostNodes = 100

export function fileStanding(current: FileGeneration | undefined, candidate: FileCandidate): FileStanding {
  if (current === undefined) return 'next'
  if (candidate.sha256 === current.sha256) return 'current'
  const isNewest = candidate.isAlone || candidate.isChange || candidate.modifiedAt > current.modifiedAt
  return isNewest ? 'next' : 'older'
}

/** Returns the generation in force once the candidate has been read, with its file noted. */
export function generationWith(current: FileGeneration | undefined, candidate: FileCandidate): FileGeneration {
  const { isChange: _change, isAlone, ...file } = candidate
  const others = isAlone ? [] : (current?.nodes ?? []).filter(({ node }) => node !== file.node)
  const nodes = [...others, file].slice(-mostNodes)
  const standing = fileStanding(current, candidate)
  // Never falls: otherwise a change to a file with an older time could be undone by the file that
  // it replaced, still there on another node.
  const modifiedAt = standing === 'older' ? 0 : file.modifiedAt
  const latest = Math.max(current?.modifiedAt ?? 0, modifiedAt)
  if (current !== undefined && standing !== 'next') return { ...current, modifiedAt: latest, nodes }
  const { node, sha256, at: startedAt } = file
  return { number: (current?.number ?? 0) + 1, sha256, modifiedAt: latest, node, startedAt, nodes }
}

/** Returns the first 12 digits of the hash and the time, for operators. */
export function shownFile({ sha256, modifiedAt }: Pick<FileOfNode, 'sha256' | 'modifiedAt'>): string {
  return `${sha256.slice(0, 12)} of ${new Date(modifiedAt).toISOString()}`
}
