import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Youchuan'

const usualBaseUrl = 'https://ali.youchuan.cn'

export const settings = serviceSettings({
  driver: 'youchuan',
  baseUrl: `The vendor's API. Default: ${usualBaseUrl}.`,
  usualBaseUrl,
  apiKey: 'The secret of the app, sent as x-youchuan-secret.',
  needsKey: true,
  keyHeader: 'x-youchuan-secret',
  usualWaits: { firstByteMs: 60_000, idleMs: 60_000 },
  own: { app_id: Type.String({ minLength: 1, description: 'Id of the app, sent as x-youchuan-app.' }) },
  openHeaders: ({ app_id }) => ({ 'x-youchuan-app': settingText(app_id) }),
})
