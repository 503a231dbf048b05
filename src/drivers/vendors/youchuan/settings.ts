import Type from 'typebox'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'

/** Name of the vendor, for messages. */
export const owner = 'Youchuan'

export const settings = serviceSettings({
  driver: 'youchuan',
  usualBaseUrl: 'https://ali.youchuan.cn',
  apiKey: 'The secret of the app, sent as x-youchuan-secret.',
  needsKey: true,
  keyHeader: 'x-youchuan-secret',
  own: { app_id: Type.String({ minLength: 1, description: 'Id of the app, sent as x-youchuan-app.' }) },
  openHeaders: ({ app_id }) => ({ 'x-youchuan-app': settingText(app_id) }),
})
