/** The groups of a vendor's models: the models of a group take the same fields within the same
 *  limits. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import Type, { type TProperties } from 'typebox'
import { RefusedError } from '../refusal.ts'

interface GroupsSpec<Group> {
  /** Id of the driver, for messages. */
  driver: string
  /** By name, as the setting `model_group` has it. */
  groups: Readonly<Record<string, Group>>
  /** The models that need the setting, for messages; default: a model whose name the driver does
   *  not know. */
  unnamed?: string
}

export interface ModelGroups<Group> {
  /** The setting `model_group`. */
  setting: TProperties
  /** The group that the settings name, else the one of the model's name; undefined for an unknown
   *  model. */
  of(settings: JsonObject, model: string): Group | undefined
  /** The same. Throws a `RefusedError` for an unknown model. */
  known(settings: JsonObject, model: string): Group
  /** Why the target of an unknown model cannot be used. */
  unusable(settings: JsonObject, model: string): string | undefined
}

/** `models` of a group matches the vendor's names of its models. */
export function modelGroups<Group extends { models: RegExp }>(spec: GroupsSpec<Group>): ModelGroups<Group> {
  const { driver, groups, unnamed = 'a model whose name the driver does not know' } = spec
  const of = ({ model_group: named }: JsonObject, model: string): Group | undefined => {
    if (typeof named === 'string' && Object.hasOwn(groups, named)) return groups[named]
    return Object.values(groups).find(({ models }) => models.test(model))
  }
  const message = (model: string) => `The driver ${driver} does not know the model ${model}; say with model_group what it takes.`
  return {
    setting: {
      model_group: Type.Optional(Type.Enum(Object.keys(groups), { description: `What the model takes. Only for ${unnamed}.` })),
    },
    of,
    known: (settings, model) => {
      const group = of(settings, model)
      if (group) return group
      throw new RefusedError({ message: message(model) })
    },
    unusable: (settings, model) => (of(settings, model) ? undefined : message(model)),
  }
}
