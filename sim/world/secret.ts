/** The key of the model's adapter, which also puts it into the causes of its errors. It must appear nowhere else. */
export const secret = 'sk-planted-in-the-adapter'
