// A file as a stretch of memory that the system reads as needed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>

namespace outplay {

class MappedFile {
 public:
  // The file, or the error number of the system. An empty file is an empty stretch.
  static std::variant<MappedFile, int> open(const std::string& path);

  MappedFile(MappedFile&& moved) noexcept
      : data_(std::exchange(moved.data_, nullptr)), size_(std::exchange(moved.size_, 0)) {}
  MappedFile& operator=(MappedFile&& moved) noexcept {
    std::swap(data_, moved.data_);
    std::swap(size_, moved.size_);
    return *this;
  }
  ~MappedFile();

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace outplay
