export {
  type ChromeAvailability,
  type ChromeModelOptions,
  chromeAvailability,
  chromeModel,
} from './chrome.ts'
export type {
  ChromeExpectations,
  ChromeExpected,
  ChromeLanguageModel,
  ChromeMessage,
  ChromeMonitor,
  ChromePart,
  ChromePromptOptions,
  ChromeSession,
  ChromeSessionOptions,
} from './language-model.ts'
