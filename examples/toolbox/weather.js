// The weather at a place, from OpenWeatherMap. Needs its host and a key, and both only by grant. The key is best added by
// Witbox on the way out, so that this component never holds it; as an environment variable it works too. It is never a
// part of an answer or an error.

import { getEnvironment } from 'wasi:cli/environment@0.2.6';
import { Denied, get, HttpError } from '../lib/http.js';
import { decode } from '../lib/utf8.js';

const SERVICE = 'https://api.openweathermap.org';

function ask(location) {
  const { OPENWEATHER_API_KEY: key = '', OPENWEATHER_BASE: base = SERVICE } = Object.fromEntries(
    getEnvironment(),
  );
  const query = `q=${encodeURIComponent(location)}&units=metric&appid=${encodeURIComponent(key)}`;
  const { status, body } = get(`${base}/data/2.5/weather?${query}`);
  if (status === 401) {
    throw key === ''
      ? 'No key: witbox secret set weather OPENWEATHER_API_KEY, and grant it to requests as the query parameter appid'
      : 'The weather service does not accept the key';
  }
  if (status === 404) throw `The weather service knows no place "${location}"`;
  if (status !== 200) throw `The weather service answered with status ${status}`;
  return JSON.parse(decode(body));
}

export const forecast = {
  getWeather(location) {
    try {
      const { name, weather, main, wind } = ask(location);
      return {
        place: name,
        description: weather[0].description,
        temperature: main.temp,
        humidity: main.humidity,
        wind: wind.speed,
      };
    } catch (error) {
      if (typeof error === 'string') throw error;
      // An error of the toolchain could quote the address, and the key is in it.
      throw error instanceof HttpError || error instanceof Denied
        ? error.message
        : 'The weather service answered with something else than weather';
    }
  },
};
