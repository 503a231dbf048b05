/** The operator's action that shows which node has which configuration file. */
import { type AdminOperation, action } from './admin-action.ts'

export const configOperations: readonly AdminOperation[] = [
  action({
    name: 'config show',
    method: 'GET',
    path: '/admin/config',
    says: 'Shows whose accounts, keys and endpoints of a configuration file are in force, and the nodes with other ones.',
    input: {},
    run: async ({ store }) => {
      const generation = await store.accounts.fileGeneration()
      const inForce = generation && {
        number: generation.number,
        node: generation.node,
        sha256: generation.sha256,
        modified: shownTime(generation.modifiedAt),
        since: shownTime(generation.startedAt),
      }
      const nodes = (generation?.nodes ?? []).map(({ node, sha256, modifiedAt, at }) => ({
        node,
        differs: sha256 !== generation?.sha256,
        sha256,
        modified: shownTime(modifiedAt),
        read: shownTime(at),
      }))
      return { in_force: inForce ?? null, nodes }
    },
  }),
]

function shownTime(ms: number): string {
  return new Date(ms).toISOString()
}
