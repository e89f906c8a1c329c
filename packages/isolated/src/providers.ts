/**
 * The origins where models answer. Code that the team did not write never asks one, because a request might use the
 * user's key.
 */
export const providerOrigins: readonly string[] = [
  'https://api.anthropic.com',
  'https://api.openai.com',
  'https://api.x.ai',
  'https://api.mistral.ai',
  'https://api.groq.com',
  'https://api.deepseek.com',
  'https://api.cohere.com',
  'https://api.together.xyz',
  'https://api.fireworks.ai',
  'https://api.perplexity.ai',
  'https://openrouter.ai',
  'https://router.huggingface.co',
  'https://generativelanguage.googleapis.com',
]
