import type { Provision } from './provision.ts'

export const earlyOutputs: Provision<'earlyOutputs'> = ({ deps: { early }, call }) => ({
  begun: ({ id }) => early.begun(id),
  read: ({ id }, index) => early.read(id, index, call.signal()),
})
