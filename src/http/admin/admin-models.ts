import { optional } from '../../contract/schemas.ts'
import type { Alias } from '../../core/routing/aliases.ts'
import { type AdminOperation, action } from './admin-action.ts'

export const modelOperations: readonly AdminOperation[] = [
  action({
    name: 'models list',
    method: 'GET',
    path: '/admin/models',
    says: 'Lists the catalogue with the targets of each model.',
    input: { family: optional.string({ description: 'Only models of this family.' }) },
    run: async ({ catalogue }, { family }) => ({
      models: [
        ...catalogue()
          .all()
          .filter(model => family === undefined || model.families.includes(family))
          // Settings of a target may contain the credentials of its upstream, so they are left out.
          .map(model => ({ ...model, targets: model.targets.map(({ settings: _settings, ...target }) => target) })),
        ...catalogue()
          .aliases()
          .flatMap(alias => aliasRow(alias, family)),
      ],
    }),
  }),
]

/** Returns the row for an alias in the list of models. An alias has no targets of its own. */
function aliasRow({ name, models, source }: Alias, family: string | undefined): object[] {
  const families = [...new Set(models.flatMap(model => model.families))]
  if (family !== undefined && !families.includes(family)) return []
  return [{ id: name, title: models[0]?.title, families, source, aliasOf: models.map(({ id }) => id).join(', ') }]
}
