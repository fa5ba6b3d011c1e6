// Places in UTF-8 text, as people count them: in characters, from 1.
#pragma once

#include <string>
#include <string_view>

namespace outplay {

constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// "character 3" for the character that begins at this byte.
inline std::string place_in(std::string_view text, std::size_t byte) {
  std::size_t count = 1;
  for (const char c : text.substr(0, byte)) count += is_continuation(c) ? 0 : 1;
  return "character " + std::to_string(count);
}

// The whole character that begins at this byte.
inline std::string_view character_at(std::string_view text, std::size_t byte) {
  std::size_t end = byte + 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return text.substr(byte, end - byte);
}

}  // namespace outplay
