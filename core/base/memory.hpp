// Big aligned memory, zeroed, in huge pages where the system gives them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace outplay {

class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t bytes) : size_((bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE) {
    data_.reset(std::aligned_alloc(HUGE_PAGE, size_));
    if (!data_) throw std::bad_alloc();
#ifdef __linux__
    madvise(data_.get(), size_, MADV_HUGEPAGE);  // a wish: small pages do as well, slower
#endif
    clear();
  }

  void clear() { std::memset(data_.get(), 0, size_); }
  void* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t HUGE_PAGE = 2 << 20;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace outplay
