// Large arrays: zeroed when first touched, aligned to a huge page and, where the system can, made of huge pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace outplay {

template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigArray() = default;
  explicit BigArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > (std::numeric_limits<std::size_t>::max() - 2 * HUGE_PAGE) / sizeof(T)) throw std::bad_alloc();
    const bool is_large = size * sizeof(T) >= LARGE;
    const std::size_t bytes = is_large ? (size * sizeof(T) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE : size * sizeof(T);
    mapped_bytes_ = bytes + (is_large ? HUGE_PAGE : 0);  // room to begin where a huge page does
    mapped_ = ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped_ == MAP_FAILED) throw std::bad_alloc();
    auto address = reinterpret_cast<std::uintptr_t>(mapped_);
    if (is_large) address = (address + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    data_ = reinterpret_cast<T*>(address);
#ifdef MADV_HUGEPAGE
    if (is_large) ::madvise(data_, bytes, MADV_HUGEPAGE);
#endif
  }
  BigArray(BigArray&& moved) noexcept { swap(moved); }
  BigArray& operator=(BigArray&& moved) noexcept {
    swap(moved);
    return *this;
  }
  ~BigArray() {
    if (data_ != nullptr) ::munmap(mapped_, mapped_bytes_);
  }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  std::span<const T> span() const { return {data_, size_}; }

 private:
  static constexpr std::size_t HUGE_PAGE = std::size_t{1} << 21, LARGE = HUGE_PAGE / 4;

  void swap(BigArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, mapped_bytes_ = 0;
  void* mapped_ = nullptr;
};

}  // namespace outplay
