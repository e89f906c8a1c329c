/** What the model's adapter holds, and tells in the causes of its errors. Nobody else may know it. */
export const secret = 'sk-planted-in-the-adapter'
