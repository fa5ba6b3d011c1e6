#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace outplay {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

}  // namespace

std::variant<MappedFile, int> MappedFile::open(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat about{};
  if (file.number < 0 || ::fstat(file.number, &about) != 0) return errno;
  if (!S_ISREG(about.st_mode)) return EISDIR;
  if (about.st_size == 0) return MappedFile(nullptr, 0);
  const auto size = static_cast<std::size_t>(about.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
  if (data == MAP_FAILED) return errno;
  return MappedFile(static_cast<const std::uint8_t*>(data), size);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

}  // namespace outplay
