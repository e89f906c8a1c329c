export {
  type ChromeAvailability,
  type ChromeModelOptions,
  chromeAvailability,
  chromeModel,
} from './model/chrome/chrome.ts'
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
} from './model/chrome/language-model.ts'
