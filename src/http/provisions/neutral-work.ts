import { defined } from '@generation-gateway/kit/defined.ts'
import { invalidField } from '@generation-gateway/kit/errors.ts'
import { type Capability, isStreamed } from '@generation-gateway/kit/requests/capabilities.ts'
import type { Refusal } from '@generation-gateway/kit/requests/job.ts'
import type { OfferedModel } from '../../contract/needs/neutral-work.ts'
import { brokenLimit, lengthLimitsOf, neutralLimits } from '../../contract/neutral-limits.ts'
import { brokenRule } from '../../contract/neutral-rules.ts'
import type { CatalogueModel } from '../../core/routing/catalogue.ts'
import { modelsOf, summaryNamed } from './models.ts'
import type { CallScope, Provision } from './provision.ts'

export const neutralWork: Provision<'neutralWork'> = scope => ({
  models: () => offered(scope),
  within: (capability, request, inputs) => {
    const model = chosen(scope)
    if (!isCapabilityOf(model, capability))
      throw invalidField('capability', `capability is ${capability}; ${model.id} is a model of ${model.capability}.`, 'capability')
    let first: Refusal | undefined
    for (const { family } of ownFamilies(scope, model)) {
      const limits = neutralLimits(family, model.group)
      const { id, group } = model
      const broken = brokenLimit(limits, { request, inputs, model: id }) ?? brokenRule(family, { capability, request, inputs, group }, id)
      if (!broken) return inputs.map(input => withLength(input, lengthLimitsOf(limits, input)))
      first ??= broken
    }
    throw invalidField(first?.field ?? 'model', first?.message ?? `${model.id} is of no family that takes this.`, 'neutral-limit')
  },
  deadlineMs: () => Math.max(...ownFamilies(scope, chosen(scope)).map(({ family }) => family.deadlineMs)),
})

function chosen({ call: { model } }: CallScope): CatalogueModel {
  if (!model) throw new TypeError('this operation does not choose a model')
  return model
}

/** Returns the families that serve the model and that the key may use at this endpoint. */
function ownFamilies({ deps, call }: CallScope, { id }: Pick<CatalogueModel, 'id'>) {
  const usable = summaryNamed(deps, call, id)?.families ?? []
  return deps.families.filter(({ family }) => usable.includes(family.id))
}

/** Returns true when a model may be used for the requested capability, which is the model's own
 *  capability or another of the same kind. Capabilities of one kind are charged in the same
 *  units: all image capabilities, for example. Search capabilities are the exception, so a
 *  search model serves only its own capability. */
function isCapabilityOf(model: Pick<CatalogueModel, 'capability'>, requested: Capability): boolean {
  const [kind, own] = [requested, model.capability].map(each => each.slice(0, each.indexOf('.')))
  return model.capability === requested || (kind === own && kind !== 'search')
}

function withLength<Input extends { lengthLimits?: object }>(input: Input, lengthLimits: Input['lengthLimits'] | undefined): Input {
  return lengthLimits === undefined ? input : { ...input, lengthLimits }
}

function offered({ deps, call }: CallScope): OfferedModel[] {
  const catalogue = deps.catalogue()
  return modelsOf(deps, call).flatMap(({ id, title, families, unusable, aliasOf }) => {
    const first = deps.families.find(({ family }) => families.includes(family.id))
    const model = first && catalogue.find(first.family.id, id)
    const capability = model?.capability
    if (aliasOf !== undefined || !model || capability === undefined || isStreamed(capability)) return []
    const facts = { id, title, families, capability, limits: neutralLimits(first.family, model.group) }
    return [{ ...facts, ...defined({ group: model.group, unusable }) }]
  })
}
